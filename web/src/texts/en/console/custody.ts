import { counted } from '../words.ts'

/** Legal hold and deletion of evidence. */
export const custody = {
  title: 'Legal hold and deletion',
  lead: 'A legal hold keeps the evidence from being deleted, by the retention rule or by anyone.',
  leadHeld: 'The evidence is kept until the hold is released.',
  hold: 'Place a legal hold',
  release: 'Release the hold',
  delete: 'Delete the evidence',
  reason: 'Reason',
  reasonExample: 'Case 2026-17',
  held: (day: string) => `Under a legal hold since ${day}`,
  erased: (day: string, by: string) => `Evidence erased on ${day} ${by}`,
  byRule: (rule: string) => `by the retention rule: ${rule}`,
  byOrder: (who: string) => `by order of ${who.replace(/^member:/, 'member ').replace(/^key:/, 'API key ')}`,
  erasedText: (files: number, size: string) =>
    `${counted(files, 'file')} (${size}) were deleted. Manifest, receipt and log proof remain, and a signed erasure record says what was deleted.`,
  dialogs: {
    hold: {
      title: 'Place a legal hold?',
      text: 'Nobody can delete the evidence until the hold is released. The audit log records the hold and its reason.',
      action: 'Place the hold',
    },
    release: {
      title: 'Release the legal hold?',
      text: 'The retention rule applies again, and owners can delete the evidence.',
      action: 'Release the hold',
    },
    delete: {
      title: 'Delete the evidence?',
      text: 'This cannot be undone. Manifest and receipt of an issued kit remain, with a signed record of the deletion. Kits that others have downloaded still verify.',
      action: 'Delete the evidence',
    },
  },
}
