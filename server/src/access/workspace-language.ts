import { type Language, LANGUAGES } from '@kitseal/kit'

export const LANGUAGE_CODES = Object.keys(LANGUAGES) as readonly Language[]
