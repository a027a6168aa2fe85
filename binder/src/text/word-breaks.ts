/** Line break opportunities: after a space or slash, and between the parts of a name. */
const BREAKS = /(?<=[ /])|(?<=[\w)][-_.])(?=\w)/u

const CJK = String.raw`[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff01-\uff60\uff66-\uff9f\u{20000}-\u{3ffff}]`
// Closing punctuation, small kana and marks must not start a line; opening punctuation must not end one.
const NOT_FIRST = String.raw`[\p{M}\p{Pe}\p{Pf}\p{Po}々ー〜ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ]`
const NOT_LAST = String.raw`[\p{Ps}\p{Pi}]`
const CJK_BREAKS = new RegExp(
  `(?<=${CJK})(?<!${NOT_LAST})(?!${NOT_FIRST})(?=${CJK}|\\w)|(?<=\\w)(?=${CJK})(?!${NOT_FIRST})`,
  'u',
)
const BREAKS_OF_ANY_SCRIPT = new RegExp(`(?:${BREAKS.source})(?!\\p{M})|${CJK_BREAKS.source}`, 'u')

/** The parts between which a line may break. */
export const splitWords = (text: string): readonly string[] => text.split(BREAKS_OF_ANY_SCRIPT)

const WITHOUT_SPACES = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]/
const SEGMENTER = new Intl.Segmenter('th', { granularity: 'word' })

/** Thai, Lao, Burmese and Khmer do not separate words by spaces. Undefined for other scripts. */
export function splitByDictionary(text: string): readonly string[] | undefined {
  if (!WITHOUT_SPACES.test(text)) return undefined
  return Array.from(SEGMENTER.segment(text), ({ segment }) => segment)
}
