import type { Plan } from '@kitseal/client/console'
import type { SubmissionProvenance } from '@kitseal/kit/internal'
import { useEffect, useMemo, useState } from 'react'
import { type Finding, isBlocking } from '../core/findings.ts'
import type { ChosenFile } from './chosen-files.ts'
import type { ConfirmedFile } from '@kitseal/examiner'
import type { Checked } from './check-worker.ts'
import { checkInWorker } from './check-in-worker.ts'
import { useKitTrust } from '../console/kit-trust.ts'

export type CheckState =
  | { readonly is: 'nothing' }
  | { readonly is: 'running'; readonly readBytes: number }
  | ({ readonly is: 'done'; readonly blockers: readonly Finding[] } & Checked)
  /** The check could not run; the service checks after upload. */
  | { readonly is: 'failed'; readonly message: string }

const STARTED: CheckState = { is: 'running', readBytes: 0 }

/** Checks whenever the files or the profile change. `accept`: the codes that the user acknowledges. */
export function useCheck(
  files: readonly ChosenFile[],
  plan: Plan,
  profile: string | undefined,
  accept: ReadonlySet<string>,
  confirmed?: readonly ConfirmedFile[],
  provenance?: SubmissionProvenance,
): CheckState {
  const [state, setState] = useState<CheckState>({ is: 'nothing' })
  const trust = useKitTrust()
  useEffect(() => {
    if (files.length === 0 || trust === undefined) {
      setState(files.length === 0 ? { is: 'nothing' } : STARTED)
      return undefined
    }
    setState(STARTED)
    const limits = {
      entries: plan.unpacked_files,
      unpackedBytes: plan.unpacked_limit_bytes,
      ratio: plan.unpacked_ratio,
    }
    const policy = { evidence: plan.evidence_policy, classes: plan.finding_classes }
    let isCurrent = true
    const order = { limits, profile, trust, policy, confirmed, provenance, now: new Date().toISOString() }
    const check = checkInWorker(
      files,
      order,
      (readBytes) => isCurrent && setState({ is: 'running', readBytes }),
    )
    check.done.then(
      (checked) => isCurrent && setState({ ...checked, is: 'done', blockers: [] }),
      (error: unknown) => isCurrent && setState({ is: 'failed', message: String(error) }),
    )
    return () => {
      isCurrent = false
      check.stop()
    }
  }, [files, plan, profile, trust, confirmed, provenance])
  return useMemo(() => (state.is === 'done' ? acknowledged(state, accept) : state), [state, accept])
}

/** A danger cannot be acknowledged. */
function acknowledged({ findings: found, items }: Checked, accept: ReadonlySet<string>): CheckState {
  const findings = found.map((finding) => ({
    ...finding,
    acknowledged: finding.class !== 'danger' && accept.has(finding.code),
  }))
  return { is: 'done', items, findings, blockers: findings.filter(isBlocking) }
}
