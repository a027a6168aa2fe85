/** Files by name, such as a company gives to an auditor every quarter. */
type Sample = Readonly<Record<string, string>>

const NOTES = { 'VISIT/監査メモ.txt': 'Interviewed on site. 現地で確認した。\n' }

/** Each item of the program is a folder. */
export const LAST_QUARTER: Sample = {
  'ACCESS/access-review.csv': accounts('c.silva,admin,m.ito,remove'),
  'RESTORE/restore-test.md': '# Restore test\n\nRestored in 94 minutes. All 41,207 rows were compared.\n',
  'INCIDENTS/incidents.json': `${JSON.stringify({ quarter: 'last', incidents: [] }, null, 2)}\n`,
  ...NOTES,
}

/** Not finished: the list of incidents is missing, and the notes are those of the last quarter. */
export const THIS_QUARTER: Sample = {
  'ACCESS/access-review.csv': accounts('d.novak,editor,m.ito,keep'),
  'RESTORE/restore-test.md': '# Restore test\n\nRestored in 81 minutes. All 42,680 rows were compared.\n',
  ...NOTES,
}

function accounts(last: string): string {
  return `account,role,reviewed_by,decision\na.jensen,admin,m.ito,keep\nb.okafor,editor,m.ito,keep\n${last}\n`
}

/** The file that the demo tampers with, and the change it makes. */
export const SAMPLE_TARGET = 'access-review.csv'
export const reverseDecision = (content: string): string =>
  content.replace('c.silva,admin,m.ito,remove', 'c.silva,admin,m.ito,keep')

/** One byte of a kit of the last quarter: a slow restore becomes a fast one. */
export function changeOneByte(kit: Uint8Array): Buffer {
  const changed = Buffer.from(kit)
  const at = changed.indexOf('94 minutes')
  if (at === -1) throw new Error('the kit does not contain the restore test')
  changed.write('1', at)
  return changed
}
