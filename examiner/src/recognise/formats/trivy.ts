import { elements, has, member, only, Tally, text, type Recogniser } from '../recogniser.ts'

const LISTS = { Vulnerabilities: 'vulnerabilities', Secrets: 'secrets', Licenses: 'licenses' }

export const TRIVY: Recogniser = {
  format: 'Trivy',
  mark: /"SchemaVersion"\s*:\s*2\b/,
  reads: 'json',
  read(values) {
    const report = only(values)
    if (member(report, 'SchemaVersion') !== 2) return undefined
    const target = text(member(report, 'ArtifactName'))
    const counts = new Tally()
    for (const result of elements(member(report, 'Results'))) {
      // A list of packages without vulnerabilities was scanned, too.
      if (String(member(result, 'Class')).endsWith('-pkgs')) counts.add('vulnerabilities', 0)
      for (const [name, shown] of Object.entries(LISTS))
        if (has(result, name)) counts.add(shown, elements(member(result, name)).length)
      for (const check of elements(member(result, 'Misconfigurations')))
        counts.add(text(member(check, 'Status')) === 'FAIL' ? 'misconfigurations' : 'other checks')
    }
    return {
      tool: 'Trivy',
      version: member(report, 'Trivy', 'Version'),
      target,
      time: member(report, 'CreatedAt'),
      counts,
    }
  },
}
