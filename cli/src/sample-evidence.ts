import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const SAMPLE: Readonly<Record<string, string>> = {
  'access-review.csv': [
    'account,role,reviewed_by,decision',
    'a.jensen,admin,m.ito,keep',
    'b.okafor,editor,m.ito,keep',
    'c.silva,admin,m.ito,remove',
    '',
  ].join('\n'),
  'backup-restore-test.md': '# Restore test\n\nRestored in 14 minutes. All 41,207 rows were compared.\n',
  'incidents.json': `${JSON.stringify({ quarter: 3, incidents: [] }, null, 2)}\n`,
  'notes/監査メモ.txt': 'Interviewed on site. 現地で確認した。\n',
}

/** A small folder of evidence, such as a company gives to an auditor. */
export function writeSampleEvidence(folder: string): void {
  for (const [name, content] of Object.entries(SAMPLE)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
}

/** The file that the demo tampers with, and the change it makes. */
export const SAMPLE_TARGET = 'access-review.csv'
export const reverseDecision = (content: string): string =>
  content.replace('c.silva,admin,m.ito,remove', 'c.silva,admin,m.ito,keep')
