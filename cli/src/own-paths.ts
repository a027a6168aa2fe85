import type { GatheredFile } from './gather-evidence.ts'

interface Located {
  readonly path?: string | null | undefined
  readonly message?: string
}

/** Blockers, findings and files with the paths that the user knows, not those in an archive that the user never made. */
export function withOwnPaths<T extends Located>(
  found: readonly T[],
  files: readonly GatheredFile[],
): readonly T[] {
  const names = files.flatMap(({ paths }) => paths)
  const packed = names.filter(({ service }) => service.endsWith('/'))
  const ownPath = (path: string): string => {
    const name = names.find(({ service }) =>
      service.endsWith('/') ? path.startsWith(service) : path === service || path.startsWith(`${service}/`),
    )
    return name === undefined ? path : `${name.own}${path.slice(name.service.length)}`
  }
  const ownText = (text: string): string =>
    packed.reduce((so, { service, own }) => so.replaceAll(service, () => own), text)
  return found.map((one) => ({
    ...one,
    ...(typeof one.path === 'string' ? { path: ownPath(one.path) } : {}),
    ...(one.message === undefined ? {} : { message: ownText(one.message) }),
  }))
}
