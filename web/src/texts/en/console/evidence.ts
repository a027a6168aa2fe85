import { counted, number } from '../words.ts'

/** Choosing, checking and uploading evidence. */
export const evidence = {
  new: {
    lead: 'Choose files. They are checked in your browser, and uploaded only when you submit.',
    label: 'Name',
    labelHint: 'Reviewers see this name. Use the same name for kits you want to compare later.',
    labelExample: 'Access review, Q3',
    profile: 'Profile',
    profileHint: 'A profile is a checklist of required files.',
    attributes: {
      title: 'Series, tags and external ID',
      series: 'Series',
      seriesHint:
        'For evidence that you collect again and again. Each kit shows what changed since the last.',
      seriesExample: 'Access review',
      tags: 'Tags',
      tagsHint: 'To find it later. Press Enter after each.',
      externalId: 'External ID',
      externalIdHint: 'Your own ID, such as a ticket number.',
    },
    provenance: {
      title: 'Where it came from',
      hint: 'Optional. The kit shows it as stated by you, not as verified.',
      collector: 'Collected with',
      collectorHint: 'The tool or the person’s role that collected the files.',
      collectorExample: 'Prowler 5.9',
      period: 'Period covered',
      from: 'From',
      to: 'To',
      bothDates: 'Enter both dates of the period, or neither.',
      wrongPeriod: 'The period must not end before it begins.',
    },
    dropTitle: 'Drop files, folders or a zip archive here',
    dropHint: (limit: string) => `Up to ${limit} in total. Nothing is uploaded yet.`,
    reading: 'Reading files…',
    dropMore: 'Drop more files anywhere on this page',
    chooseFiles: 'Choose files…',
    chooseFolder: 'Choose a folder…',
    nothing: 'No files found.',
    skipped: (count: number) =>
      `${counted(count, 'file')} skipped: a file with the same name is already in this submission.`,
    unreadable: (why: string) => `Cannot read that (${why}). Try “Choose a folder…”, or a zip archive.`,
    filesTitle: (count: number, size: string) => `${counted(count, 'file')}, ${size}`,
    fileList: 'Chosen files',
    problems: (count: number, more = false) =>
      more ? `${number(count)}+ problems` : counted(count, 'problem'),
    withProblems: (count: number) => `${counted(count, 'file')} with problems`,
    removeFile: (name: string) => `Remove ${name}`,
    sendingFile: (name: string) => `Uploading ${name}`,
    sent: 'uploaded',
    tooLarge: {
      title: 'Too large',
      text: (size: string, limit: string) =>
        `These files are ${size}. The limit is ${limit}. Remove some files, or split them into two submissions.`,
    },
    check: {
      running: 'Checking files in your browser',
      goodTitle: 'No problems found. Ready to submit.',
      goodWithNotices: 'Ready to submit. See the notices below.',
      badTitle: (problems: string) => `${problems} found`,
      removeFiles: (count: number) =>
        count === 1 ? 'Remove the problem file' : `Remove the ${number(count)} problem files`,
      bad: 'Fix these files and drop them again: a file with the same name replaces the old one. Nothing has been uploaded.',
      failedTitle: 'The check could not run in your browser',
      failed: (why: string) => `You can still submit: the service checks the files after upload. (${why})`,
    },
    accept: {
      secrets: {
        title: 'Submit a possible secret?',
        text: 'Everyone who gets the kit can read it, and a kit cannot be taken back. The kit records what you acknowledge here, and the binder shows it.',
        label: (count: number) =>
          `I have checked ${count === 1 ? 'it' : 'them'}. Submit with ${counted(count, 'possible secret')}.`,
      },
      files: {
        title: 'Submit damaged files as they are?',
        text: 'The kit records what you acknowledge here, and the binder shows it. Dangerous files cannot be submitted.',
        label: (count: number) =>
          count === 1
            ? 'I know. Submit the file as it is.'
            : `I know. Submit the ${count} files as they are.`,
      },
      items: {
        title: 'Submit with incomplete items?',
        text: 'The profile asks for more. The kit records what you acknowledge here, and the binder shows it.',
        label: (count: number) => `I know. Submit with ${counted(count, 'incomplete item')}.`,
      },
    },
    send: 'Submit',
    sending: 'Uploading. Keep this page open.',
    sentOf: (sent: number, all: number) => `${number(sent)} of ${counted(all, 'file')} uploaded`,
    leave: {
      title: 'Leave without submitting?',
      text: (count: number) =>
        `${counted(count, 'chosen file')} ${count === 1 ? 'is' : 'are'} not submitted yet. If you leave, you have to choose ${count === 1 ? 'it' : 'them'} again.`,
      stay: 'Stay',
      leave: 'Leave',
    },
    cancel: 'Cancel',
    cancelled: 'Upload cancelled.',
    stoppedTitle: 'Upload incomplete',
    stopped: 'Files that were uploaded are kept. “Resume” uploads the rest.',
    retry: 'Resume',
    notReady: {
      files: 'Choose files first.',
      label: 'Enter a name first.',
      size: 'The files are too large.',
    },
  },
}
