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

/** A small folder of evidence, as a company might hand it to an auditor. */
export function writeSampleEvidence(folder: string): void {
  for (const [name, content] of Object.entries(SAMPLE)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
}

/** The file that the attempts of the demo are about, and what they turn it into. */
export const SAMPLE_TARGET = 'access-review.csv'
export const kept = (content: string): string =>
  content.replace('c.silva,admin,m.ito,remove', 'c.silva,admin,m.ito,keep')
