import { useEffect, useMemo, useState } from 'react'
import { type Finding, isBlocking } from '../console/blocker-groups.ts'
import type { Plan } from '../console/api-types.generated.ts'
import type { ChosenFile } from './chosen-files.ts'
import { checkInWorker } from './check-in-worker.ts'
import { useKitTrust } from './kit-trust.ts'

export type CheckState =
  | { readonly is: 'nothing' }
  | { readonly is: 'running' }
  | { readonly is: 'done'; readonly findings: readonly Finding[]; readonly blockers: readonly Finding[] }
  /** The check could not run; the service checks after upload. */
  | { readonly is: 'failed'; readonly message: string }

/** Checks whenever the files or the profile change. `accept`: the codes that the user acknowledges. */
export function useCheck(
  files: readonly ChosenFile[],
  plan: Plan,
  profile: string | undefined,
  accept: ReadonlySet<string>,
): CheckState {
  const [state, setState] = useState<CheckState>({ is: 'nothing' })
  const trust = useKitTrust()
  useEffect(() => {
    if (files.length === 0 || trust === undefined) {
      setState({ is: files.length === 0 ? 'nothing' : 'running' })
      return undefined
    }
    setState({ is: 'running' })
    const limits = {
      entries: plan.unpacked_files,
      unpackedBytes: plan.unpacked_limit_bytes,
      ratio: plan.unpacked_ratio,
    }
    const policy = { evidence: plan.evidence_policy, classes: plan.finding_classes }
    const check = checkInWorker(files, { limits, profile, trust, policy, now: new Date().toISOString() })
    let isCurrent = true
    check.done.then(
      (findings) => isCurrent && setState({ is: 'done', findings, blockers: [] }),
      (error: unknown) => isCurrent && setState({ is: 'failed', message: String(error) }),
    )
    return () => {
      isCurrent = false
      check.stop()
    }
  }, [files, plan, profile, trust])
  return useMemo(() => (state.is === 'done' ? acknowledged(state.findings, accept) : state), [state, accept])
}

/** Only damage can be acknowledged. */
function acknowledged(found: readonly Finding[], accept: ReadonlySet<string>): CheckState {
  const findings = found.map((finding) => ({
    ...finding,
    acknowledged: finding.class === 'damage' && accept.has(finding.code),
  }))
  return { is: 'done', findings, blockers: findings.filter(isBlocking) }
}
