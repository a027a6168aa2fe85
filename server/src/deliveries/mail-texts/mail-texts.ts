import type { Template, TemplateName } from '../mail-templates.ts'

/** The templates in another language. */
export type MailTexts = Readonly<Record<TemplateName, Omit<Template, 'boundary'>>>

export type { MailWords } from './en.ts'
