import type { SubmissionRequest } from '@kitseal/client'
import type { ConfirmedFile } from '@kitseal/examiner'
import { parseStatedProvenance } from '@kitseal/kit/internal'
import { useCallback, useMemo, useRef, useState } from 'react'
import { navigate } from '../../core/router.tsx'
import { t } from '../../core/texts.ts'
import { Card, Heading } from '../../parts/blocks.tsx'
import { Fields, useFields } from '../../parts/fields.tsx'
import { api } from '../client.ts'
import { useProfiles } from '../profiles/profiles.ts'
import { useOnce, useSeries } from '../queries.tsx'
import { useMe } from '../session.tsx'
import { DraftFiles, useDraftFiles } from './draft-files.tsx'
import { ProfileChecklist } from './profile-checklist.tsx'

const NOTHING = {
  label: '',
  profile: 'default',
  series: '',
  tags: '',
  externalId: '',
  collector: '',
  from: '',
  to: '',
}

type Values = typeof NOTHING

/** Creates a submission. Files are checked before anything is uploaded; the first one that is sent makes it a draft. */
export default function NewPage() {
  const { workspace } = useMe()
  const profiles = useProfiles()
  const [values, set] = useFields(NOTHING)
  const [confirmed, setConfirmed] = useState<readonly ConfirmedFile[]>([])
  const wrongPeriod = periodProblem(values)
  const { from, to } = values
  // Only the dates matter for the profile, so typing a name checks nothing again.
  const provenance = useMemo(
    () => (wrongPeriod === undefined ? provenanceOf({ collector: '', from, to }) : undefined),
    [wrongPeriod, from, to],
  )
  const chosen = profiles.find((one) => one.profile === values.profile)
  const profile = useMemo(() => chosen && JSON.stringify(chosen), [chosen])
  const create = useCreateOnce(() => requestOf(values, confirmed))
  const uploads = useDraftFiles({ plan: workspace.plan, profile, confirmed, provenance, open: create })
  const { files, submitting, queue } = uploads
  const isFixed = submitting.is !== 'idle'

  const submit = async (): Promise<void> => {
    const id = await queue.submit()
    if (id !== undefined) navigate(`/console/submissions/${id}`, { replace: true })
  }
  const notReady = (): string | undefined => {
    if (files.length === 0) return t('console.new.notReady.files')
    return values.label.trim() === '' ? t('console.new.notReady.label') : wrongPeriod
  }
  return (
    <>
      <Heading title={t('console.titles.new')} lead={t('console.new.lead')} />
      <Card>
        <Fields
          texts="console.new"
          isPaired
          values={values}
          set={set}
          isDisabled={isFixed}
          fields={[
            { name: 'label', maxLength: 200, isRequired: true },
            profiles.length > 0 && {
              name: 'profile',
              is: 'select',
              hint: chosen?.description ?? t('console.new.profileHint'),
              options: profiles.map((one) => ({ value: one.profile, label: one.title })),
            },
          ]}
        />
        <More values={values} set={set} isDisabled={isFixed} wrongPeriod={wrongPeriod} />
      </Card>
      {chosen !== undefined && (
        <ProfileChecklist
          profile={chosen}
          files={files}
          check={uploads.check}
          isFixed={isFixed}
          onAdd={(added) => queue.add(added)}
          onConfirm={(file) => setConfirmed((before) => [...before, file])}
        />
      )}
      <DraftFiles
        uploads={uploads}
        limitBytes={workspace.plan.upload_limit_bytes}
        notReady={notReady()}
        onSubmit={() => void submit()}
      />
    </>
  )
}

interface MoreProps {
  readonly values: Values
  set(changed: Partial<Values>): void
  readonly isDisabled: boolean
  readonly wrongPeriod: string | undefined
}

/** What the submission is found by later, and what is stated about where the evidence came from. All of it is optional. */
function More({ wrongPeriod, ...form }: MoreProps) {
  const known = useSeries()
  return (
    <details className="more">
      <summary>{t('console.new.more')}</summary>
      <Fields
        texts="console.new.attributes"
        isPaired
        {...form}
        fields={[
          { name: 'series', suggestions: known, maxLength: 100 },
          { name: 'tags', maxLength: 1000 },
          { name: 'externalId', maxLength: 200 },
          { name: 'collector', maxLength: 200 },
          { name: 'from', is: 'date' },
          { name: 'to', is: 'date', error: wrongPeriod },
        ]}
      />
      <p className="quiet">{t('console.new.provenance.hint')}</p>
    </details>
  )
}

/** Empty members are absent. */
function requestOf(values: Values, confirmed: readonly ConfirmedFile[]): SubmissionRequest {
  const provenance = provenanceOf(values)
  const [series, externalId] = [values.series.trim(), values.externalId.trim()]
  const tags = values.tags.split(/[,、]/).map((tag) => tag.trim())
  return {
    label: values.label.trim(),
    profile: values.profile,
    confirm: [...confirmed],
    tags: tags.filter((tag) => tag !== ''),
    ...(series !== '' && { series }),
    ...(externalId !== '' && { external_id: externalId }),
    ...(provenance !== undefined && { provenance }),
  }
}

/** As `provenance` of the request; undefined if nothing is stated. */
function provenanceOf({ collector, from, to }: Pick<Values, 'collector' | 'from' | 'to'>) {
  const name = collector.trim()
  if (name === '' && from === '' && to === '') return undefined
  return {
    ...(name !== '' && { collector: { name } }),
    ...((from !== '' || to !== '') && { period: { from, to } }),
  }
}

/** Why the period cannot be sent. */
function periodProblem({ from, to }: Pick<Values, 'from' | 'to'>): string | undefined {
  if ((from === '') !== (to === '')) return t('console.new.provenance.bothDates')
  return from === '' || parseStatedProvenance({ period: { from, to } }).ok
    ? undefined
    : t('console.new.provenance.wrongPeriod')
}

/** Creates the draft with the first file that is sent. Retries with the same body create only one. */
function useCreateOnce(body: () => SubmissionRequest): () => Promise<string> {
  const id = useRef<string>(undefined)
  const onceFor = useOnce()
  const create = useRef<() => Promise<string>>(undefined)
  create.current = async () => {
    const given = body()
    id.current ??= (await api.createSubmission(given, onceFor(given))).submission_id
    return id.current
  }
  return useCallback(async () => create.current?.() ?? '', [])
}
