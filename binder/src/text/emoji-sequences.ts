// Every emoji of several characters contains one of these: flags, families, skin tones, keycaps, variation selectors.
const JOINED = /\u200d|\ufe0f|\u20e3|\p{Regional_Indicator}|\p{Emoji_Modifier}/u
const EMOJI = /(\p{RGI_Emoji})/v

/** Splits text into characters, and emoji that consist of several characters. */
export function splitEmoji(text: string): Iterable<string> {
  if (!JOINED.test(text)) return text
  return text.split(EMOJI).flatMap((part, index) => (index % 2 === 1 ? part : Array.from(part)))
}
