/** What mails say besides their templates. */
export const words = {
  unsubscribe: 'Get no more mail from {workspace}',
  unsubscribeText: 'To get no more mail from {workspace}: {url}',
  /** What a mail is filled with, in `when`, `result`, `advice`, `password`, `role` and `inviter`. `{}` stands for a name or a number. */
  phrases: {
    notComplete: 'is not complete yet',
    overdue: 'is overdue',
    today: 'is due today',
    tomorrow: 'is due tomorrow',
    inDays: 'is due in {} days',
    open: 'is open',
    needsChanges: 'needs changes',
    accepted: 'accepted',
    submitted: 'submitted by the supplier',
    reviewerWrote: 'A reviewer wrote in this room',
    wrote: '{} wrote in this room',
    someoneShare: 'Someone with the link downloaded from this share',
    someoneRoom: 'Someone with the link downloaded from this room',
    downloadedShare: '{} downloaded from this share',
    downloadedRoom: '{} downloaded from this room',
    nothingLeft: 'There is nothing left to do.',
    seeComments: 'Open the request to see the comments.',
    seePeriod: 'Open the period to see the comments.',
    acceptOrReturn: 'Accept the items, or send them back with a comment.',
    readAndAnswer: 'Open it to read and answer.',
    accessLog: 'Its access log has every download.',
    password: 'You need a password, too. Ask {} for it.',
    operator: 'The operator of this service',
    owner: 'owner',
    manager: 'manager',
    member: 'member',
    viewer: 'viewer',
  },
}

export type MailWords = typeof words
