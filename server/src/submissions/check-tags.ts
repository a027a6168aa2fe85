import { problem } from '../http/schema-problems.ts'
import type { ExtraCheck } from '../http/validate-request.ts'
import { tagKey } from './search-words.ts'

/** Tags that differ only in case are the same. */
export const checkTags: ExtraCheck = ({ tags }) => {
  const keys = (Array.isArray(tags) ? tags : []).map((tag) => tagKey(String(tag)))
  return new Set(keys).size === keys.length ? [] : [problem('tags', 'must not contain the same tag twice')]
}
