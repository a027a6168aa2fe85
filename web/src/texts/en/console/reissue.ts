import { counted, number } from '../words.ts'

/** Kits whose signing key was revoked, and the kits that replace them. */
export const reissue = {
  banner: {
    title: (kits: number, date: string) =>
      `${counted(kits, 'kit was', 'kits were')} signed with a key that was revoked on ${date}`,
    text: (heading: string) =>
      `People who verify them see “${heading}”. Re-issue them: you get new kits with the same evidence, signed with the current key. Send the new kits to everyone who has the old ones.`,
    compromised: (date: string) =>
      `The key may have been in other hands since ${date}. Kits that were logged before still verify for people who check the time with witnesses or time-stamps.`,
    action: (kits: number) => (kits === 1 ? 'Re-issue the kit' : `Re-issue all ${number(kits)} kits`),
    progress: (done: number) => `${counted(done, 'kit')} re-issued…`,
  },
  kit: {
    revoked: 'People who verify this kit see the same words. The evidence is still stored.',
    reissue: 'Re-issue it: you get a new kit with the same evidence, signed with the current key. ',
    askOwner: 'Ask an owner to re-issue it.',
    replaced: 'The kit was re-issued. Send the new kit to everyone who has this one.',
    expired:
      'The evidence was deleted when its retention period ended, so the kit cannot be re-issued. Submit the evidence again.',
    action: 'Re-issue kit',
  },
  replaces: 'Replaces the kit of',
  replacedBy: 'Replaced by',
}
