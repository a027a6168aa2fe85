import type { Message, Translate } from '@kitseal/kit/internal'
import type { MailKey } from '../../../texts/mail.generated.ts'

/**
 * What each kind of mail is filled with, beside its texts in texts/<language>/mail.json. Empty text leaves its paragraph out. `link` is a URL, or
 * a path of this service. What the service says itself is a message; what people wrote is text.
 */
export interface MailData {
  readonly invitation: Fields<'workspace' | 'link' | 'expires', 'role' | 'inviter'>
  readonly request: Fields<'workspace' | 'title' | 'message' | 'items' | 'due' | 'link'>
  readonly reminder: Fields<'workspace' | 'title' | 'due' | 'open' | 'link', 'when'>
  readonly period: Fields<'workspace' | 'title' | 'message' | 'due' | 'link', 'when' | 'items'>
  readonly result: Fields<'workspace' | 'title' | 'link', 'result' | 'advice'>
  readonly share: Fields<'workspace' | 'title' | 'note' | 'link' | 'expires', 'password'>
  readonly key_revocation: Fields<'workspace' | 'kid' | 'revoked' | 'since' | 'kits' | 'link'>
  readonly webhook_disabled: Fields<'workspace' | 'url' | 'since' | 'problem' | 'link'>
  readonly test: Fields<'workspace' | 'issuer' | 'link'>
  readonly access_reset: Fields<'workspace' | 'operator' | 'link' | 'expires'>
}

type Fields<Text extends string, Said extends string = never> = Readonly<Record<Text, string>> &
  Readonly<Record<Said, string | Message>>

export type TemplateName = keyof MailData

/** Whether the mail is about evidence, and so says what the service does not judge. */
export const TEMPLATES: Readonly<Record<TemplateName, { readonly boundary: boolean }>> = {
  invitation: { boundary: false },
  request: { boundary: true },
  reminder: { boundary: true },
  period: { boundary: true },
  result: { boundary: true },
  share: { boundary: true },
  key_revocation: { boundary: true },
  webhook_disabled: { boundary: false },
  test: { boundary: false },
  access_reset: { boundary: false },
}

type PhraseKey = Extract<MailKey, `mail.phrase.${string}`>

/** What stands in a mail, for the language that it is sent in. */
export const phrase: Translate<PhraseKey, never, Message> = (key, ...[args = {}]) => ({ key, args })
