import { counted } from '../../../readable.ts'

/** Choosing, checking and sending files. */
export const evidence = {
  new: {
    lead: 'Choose the files. They are checked in this browser by the rules of the service, and sent when you say so.',
    label: 'What it is about',
    labelHint:
      'It stands in the receipt as the scope. Give the same one to later kits that are to be compared with this.',
    labelExample: 'Access review, third quarter',
    profile: 'What it must contain',
    profileHint: 'A profile asks for certain files.',
    dropTitle: 'Drop files, folders or a zip',
    dropHint: (limit: string) => `Up to ${limit} in all. Nothing is sent yet.`,
    chooseFiles: 'Choose files…',
    chooseFolder: 'Choose a folder…',
    nothing: 'There is no file in that.',
    leftOut: (count: number) =>
      `${counted(count, 'file')} of these ${count === 1 ? 'is' : 'are'} there already under the same name, and ${count === 1 ? 'was' : 'were'} left out.`,
    unreadable: (why: string) => `That cannot be read (${why}). Try “Choose a folder…”, or a zip of it.`,
    filesTitle: (count: number, size: string) => `${counted(count, 'file')}, ${size}`,
    leaveOut: (name: string) => `Leave ${name} out`,
    sendingFile: (name: string) => `Sending ${name}`,
    sent: 'sent',
    tooLarge: {
      title: 'That is too much for one submission',
      text: (size: string, limit: string) =>
        `It is ${size}, and ${limit} may be sent. Leave something out, or make two submissions.`,
    },
    check: {
      running: 'Checking in this browser; nothing is sent',
      goodTitle: 'Nothing stands against sending this',
      good: 'Every rule that runs in a browser was held against it. Only the service looks for viruses, where it has a scanner.',
      badTitle: (blockers: string) => `${blockers}: a service would issue no kit`,
      bad: 'Mend these, then drop the mended files: a file of the same name takes the place of the old one. Nothing was sent.',
      failedTitle: 'The check did not run here',
      failed: (why: string) => `You can send the files all the same: the service checks them. (${why})`,
    },
    send: 'Send and seal',
    sendAnyway: 'Send anyway',
    sendAnywayHint: 'The service would find the same, and charge nothing.',
    costs: 'Costs 1 credit if a kit is issued; nothing if not.',
    sending: 'Sending; keep this page open',
    cancel: 'Cancel',
    cancelled: 'You cancelled it.',
    stoppedTitle: 'Not everything was sent',
    stopped: 'What was sent stays; “Go on” sends the rest.',
    retry: 'Go on',
    noCredits: 'No credits are left, so nothing can be sealed. Ask whoever runs the service for more.',
    hindrances: {
      files: 'Choose files first.',
      label: 'Say what it is about first.',
      size: 'It is too large to be sent.',
    },
  },
}
