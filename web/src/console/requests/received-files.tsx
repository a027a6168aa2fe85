import type { EvidenceRequest } from '@kitseal/client'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Icon } from '../../parts/icons.tsx'
import { FileList } from '../../parts/preview/file-list.tsx'
import { nameText, sizeText } from '../../core/readable.ts'
import { FileChange } from '../../outside/request/item-parts.tsx'
import { api } from '../client.ts'
import { kitFileUrl } from '../submission/kit-file-url.ts'

type Received = EvidenceRequest['other_files'][number]

/** The address of a file that is in the newest kit of the request with the same content. */
export type Served = (file: Received) => string | undefined

export function useKitFiles(kitId: string | null): Served {
  const kit = useQuery({
    queryKey: ['kit', kitId],
    queryFn: () => api.describeKit(kitId ?? ''),
    staleTime: Infinity,
    enabled: kitId !== null,
  })
  return useMemo(() => {
    const paths = new Map(kit.data?.files.map(({ path, sha256 }) => [path, sha256]))
    return ({ name, sha256 }) => {
      const path = `data/${name}`
      return kitId !== null && paths.get(path) === sha256 ? kitFileUrl(kitId, path) : undefined
    }
  }, [kit.data, kitId])
}

export interface ReceivedFilesProps {
  readonly files: readonly Received[]
  /** The start of each name that is not shown: the folder of the item. */
  readonly skip: number
  readonly served: Served
}

/** Files that were submitted have a preview. The others are in the supplier's draft. */
export function ReceivedFiles({ files, skip, served }: ReceivedFilesProps) {
  const shown = files.flatMap((file) => {
    const url = served(file)
    return url === undefined
      ? []
      : [{ name: file.name.slice(skip), sizeBytes: file.size_bytes, url, mark: <FileChange {...file} /> }]
  })
  const rest = files.filter((file) => served(file) === undefined)
  return (
    <>
      {shown.length > 0 && <FileList files={shown} />}
      {rest.length > 0 && (
        <ul className="item-files">
          {rest.map(({ position, name, size_bytes, change }) => (
            <li key={position}>
              <Icon name="file" />
              <span className="file-name">
                {nameText(name.slice(skip))}
                <FileChange change={change} />
              </span>
              <span className="quiet">{sizeText(size_bytes)}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
