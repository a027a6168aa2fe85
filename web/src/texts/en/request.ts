import { counted } from './words.ts'

/** `/r/TOKEN`, for people who have never heard of kitseal. */
export const request = {
  title: 'Request for files',
  lead: (who: string) => `${who} asks you for these files. You do not need an account.`,
  howTo:
    'Add files to each item. They are checked on your device and then saved here. You can close this page and continue later with the same link, on any device. When you are done, submit.',
  due: 'Due:',
  statuses: {
    missing: 'Missing',
    collected: 'Not submitted yet',
    to_review: 'Submitted',
    needs_changes: 'Needs changes',
    accepted: 'Accepted',
    not_applicable: 'Not applicable',
  },
  notApplicableBy: (who: string, reason: string) => `Not applicable (${who}): ${reason}`,
  applies: 'It does apply',
  changes: { added: 'New in this round', replaced: 'Changed in this round' },
  removed: (names: readonly string[]) => `Removed in this round: ${names.join(', ')}`,
  by: { requester: 'Requester', supplier: 'You' },
  chooseFiles: 'Choose files',
  addFiles: 'Add more files',
  takePhoto: 'Take a photo',
  chooseFor: (verb: string, item: string) => `${verb} for ${item}`,
  dropHint: 'or drop them here',
  removeFile: (name: string) => `Remove ${name}`,
  empty: 'This file is empty',
  checking: 'Checking…',
  waiting: 'Waiting…',
  sending: (name: string) => `Uploading ${name}`,
  notSent: 'Not uploaded: there is a problem with this file.',
  failed: 'Upload failed',
  sendAnyway: 'Upload anyway',
  secretChecked: 'I have checked it: it may be in the kit.',
  forget: 'Dismiss',
  forms: {
    comment: {
      open: 'Comment',
      label: (item: string) => `Comment on ${item}`,
      hint: 'For example: where to look in a file',
      send: 'Send comment',
    },
    notApplicable: {
      open: 'Not applicable',
      label: (item: string) => `Not applicable: ${item}`,
      hint: 'Why is there nothing to send? The reason is part of your answer.',
      send: 'Save reason',
    },
  },
  cancel: 'Cancel',
  other: 'Other files',
  sender: {
    title: 'About you',
    name: 'Your name',
    nameHint: 'Optional. It is in the kit as you write it, as a name that nobody has verified.',
  },
  progress: (answered: number, items: number, files: number) =>
    `${answered} of ${counted(items, 'item')} answered (${counted(files, 'file')})`,
  progressLabel: 'Items with an answer',
  submit: 'Submit',
  submitAnyway: 'Submit anyway',
  missing: (titles: readonly string[]) =>
    titles.length > 3
      ? `${counted(titles.length, 'item')} have no files yet.`
      : `No files yet for: ${titles.join(', ')}.`,
  held: (count: number) => `${counted(count, 'file')} ${count === 1 ? 'was' : 'were'} not uploaded.`,
  outcome: {
    running: 'Your files are being checked',
    runningText: 'This usually takes a few seconds.',
    failed: 'Some files could not be accepted',
    failedText: 'Nothing was submitted. Remove or replace these files, then submit again.',
    damagedText:
      'Nothing was submitted. Replace these files and submit again. If the originals are like this, submit them as they are: the report will say so.',
    submitDamaged: 'Submit as they are',
    submitted: 'Submitted. Thank you!',
    submittedText: (who: string) =>
      `${who} has your files and reviews them. If something needs changes, you will see it here. Forgot a file? Add it below and submit again: you can change an item until ${who} has decided on it.`,
    changing: 'Your changes are not submitted yet',
    changingText: (who: string) => `${who} sees what you submitted before. Submit again when you are done.`,
    accepted: 'Everything is accepted',
    settled: 'Nothing more is needed',
    acceptedText: (who: string, accepted: number, notApplicable: number) =>
      `${who} has accepted ${counted(accepted, 'item')}${notApplicable === 0 ? '' : `, and ${counted(notApplicable, 'item')} ${notApplicable === 1 ? 'does' : 'do'} not apply`}.`,
    closed: 'This request is closed',
    closedText: (who: string) => `${who} has closed this request. Files can no longer be added.`,
    reopened: (items: number) => `${counted(items, 'item')} ${items === 1 ? 'needs' : 'need'} changes`,
    reopenedText: (who: string) =>
      `Read the comments of ${who}, add or replace files, and submit again. Items that are accepted stay as they are.`,
  },
  kit: {
    title: 'Your copy',
    olderTitle: 'Your copy of the last submission',
    text: 'A sealed archive of exactly the files that were submitted, with a signed receipt. Keep it as proof of what you sent and when.',
    download: 'Download kit.zip',
    verify: 'Check it in this browser',
    details: 'How it was checked',
  },
  problems: {
    credits_exhausted:
      'The requester cannot receive files right now, because their account has no credits left. Tell them; your other files are saved.',
    upload_too_large: 'All files together are larger than the requester can receive. Tell them.',
    upload_in_progress: 'Another upload was faster. Try again.',
    link_not_found:
      'This link does not work any more. Ask for a new one. Files that are already uploaded are saved.',
  },
}
