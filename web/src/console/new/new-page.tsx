import type { SubmissionRequest } from '@kitseal/client'
import type { ConfirmedFile } from '@kitseal/examiner'
import { Select, TextInput } from '@mantine/core'
import { useMemo, useRef, useState } from 'react'
import { type ChosenFile, totalBytes } from '../../upload/chosen-files.ts'
import { EvidencePicker } from '../../upload/evidence-picker.tsx'
import { LeaveGuard } from '../../upload/leave-guard.tsx'
import { ProfileChecklist } from '../../upload/profile-checklist.tsx'
import { type ProfileDocument, useProfiles } from '../profiles/profiles.ts'
import { SendBar } from '../../upload/send-bar.tsx'
import { useAccepted } from '../../upload/use-accepted.ts'
import { useCheck } from '../../upload/use-check.ts'
import { useUpload } from '../../upload/use-upload.ts'
import { Card, Heading } from '../../parts/blocks.tsx'
import { navigate } from '../../core/router.tsx'
import { t } from '../../core/texts.ts'
import { api, once } from '../client.ts'
import { Problem } from '../../parts/state.tsx'
import { randomKey } from '../../core/random-key.ts'
import { Permitted, useMe } from '../session.tsx'
import { attributeMembers, NewAttributesFields, NO_ATTRIBUTES } from './new-attributes.tsx'
import { NewProvenanceFields, NO_PROVENANCE, periodProblem, provenanceOf } from './new-provenance.tsx'

/** Creates a submission. Files are checked before anything is uploaded. */
export function NewPage() {
  return (
    <Permitted to="submit" title={t('console.titles.new')}>
      <NewSubmissionForm />
    </Permitted>
  )
}

function NewSubmissionForm() {
  const { workspace } = useMe()
  const profiles = useProfiles()
  const [label, setLabel] = useState('')
  const [profile, setProfile] = useState('default')
  const [attributes, setAttributes] = useState(NO_ATTRIBUTES)
  const [stated, setStated] = useState(NO_PROVENANCE)
  const wrongPeriod = periodProblem(stated)
  const { from, to } = stated
  // Only the dates matter for the profile, so typing a name checks nothing again.
  const dated = useMemo(
    () => (wrongPeriod === undefined ? provenanceOf({ collector: '', from, to }) : undefined),
    [wrongPeriod, from, to],
  )
  const [files, setFiles] = useState<readonly ChosenFile[]>([])
  const [accept, setAccept] = useAccepted(files)
  const [confirmed, setConfirmed] = useState<readonly ConfirmedFile[]>([])
  const [problem, setProblem] = useState<unknown>()
  const chosen = profiles.find((one) => one.profile === profile)
  const check = useCheck(files, workspace.plan, documentOf(chosen), accept, confirmed, dated)
  const upload = useUpload()
  const create = useCreateOnce()
  const isFixed = upload.state.is === 'sending' || upload.state.is === 'done'

  const send = async (): Promise<void> => {
    setProblem(undefined)
    try {
      const provenance = provenanceOf(stated)
      const body = {
        label: label.trim(),
        profile,
        confirm: [...confirmed],
        ...attributeMembers(attributes),
        ...(provenance === undefined ? {} : { provenance }),
      }
      const id = await upload.start(() => create(body), files, [...accept])
      if (id !== undefined) navigate(`/console/submissions/${id}`, { replace: true })
    } catch (error) {
      setProblem(error)
    }
  }
  return (
    <>
      <Heading title={t('console.titles.new')} lead={t('console.new.lead')} />
      <Card>
        <div className="fields two">
          <TextInput
            label={t('console.new.label')}
            description={t('console.new.labelHint')}
            placeholder={t('console.new.labelExample')}
            value={label}
            maxLength={200}
            required
            disabled={isFixed || upload.state.is === 'stopped'}
            onChange={({ currentTarget }) => setLabel(currentTarget.value)}
          />
          {profiles.length > 0 && (
            <Select
              label={t('console.new.profile')}
              description={chosen?.description ?? t('console.new.profileHint')}
              data={profiles.map((one) => ({ value: one.profile, label: one.title }))}
              value={profile}
              allowDeselect={false}
              disabled={isFixed || upload.state.is === 'stopped'}
              onChange={(value) => setProfile(value ?? 'default')}
            />
          )}
        </div>
        <NewAttributesFields
          value={attributes}
          isFixed={isFixed || upload.state.is === 'stopped'}
          onChange={setAttributes}
        />
        <NewProvenanceFields
          value={stated}
          isFixed={isFixed || upload.state.is === 'stopped'}
          onChange={setStated}
        />
      </Card>
      {chosen !== undefined && (
        <ProfileChecklist
          profile={chosen}
          files={files}
          check={check}
          isFixed={isFixed || upload.state.is === 'stopped'}
          onChange={setFiles}
          onConfirm={(file) => setConfirmed((before) => [...before, file])}
        />
      )}
      <EvidencePicker
        files={files}
        check={check}
        progress={upload.progress}
        limitBytes={workspace.plan.upload_limit_bytes}
        isFixed={isFixed}
        accept={accept}
        onAccept={setAccept}
        onChange={setFiles}
      />
      {problem !== undefined && <Problem error={problem} />}
      <LeaveGuard unsent={upload.state.is === 'done' ? 0 : files.length} />
      <SendBar
        files={files}
        check={check}
        upload={upload.state}
        progress={upload.progress}
        notReady={reasonNotReady(label, files, workspace.plan.upload_limit_bytes) ?? wrongPeriod}
        onSend={() => void send()}
        onCancel={upload.cancel}
      />
    </>
  )
}

const documentOf = (profile: ProfileDocument | undefined): string | undefined =>
  profile === undefined ? undefined : JSON.stringify(profile)

function reasonNotReady(label: string, files: readonly ChosenFile[], limitBytes: number): string | undefined {
  if (files.length === 0) return t('console.new.notReady.files')
  if (label.trim() === '') return t('console.new.notReady.label')
  if (totalBytes(files) > limitBytes) return t('console.new.notReady.size')
  return undefined
}

/** Retries with the same key create only one submission. */
function useCreateOnce(): (body: SubmissionRequest) => Promise<string> {
  const id = useRef<string>(undefined)
  const key = useRef(randomKey())
  return async (body) => {
    id.current ??= (await api.createSubmission(body, once(key.current))).submission_id
    return id.current
  }
}
