import type { RuleCode } from '@kitseal/evidence'

/** What each rule about evidence says, and what to do. The English ones come with the findings. A detail in English may follow the message. */
export type Rules = Readonly<Record<RuleCode, { readonly message: string; readonly remedy: string }>>
