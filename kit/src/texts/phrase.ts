type Phrases = Readonly<Record<string, string>>

/** Each table of phrases is made into expressions once: a page may have thousands of findings. */
const expressions = new WeakMap<Phrases, readonly (readonly [name: string, phrase: RegExp])[]>()

function expressionsOf(english: Phrases): readonly (readonly [name: string, phrase: RegExp])[] {
  const known = expressions.get(english)
  if (known !== undefined) return known
  const made = Object.entries(english).map(([name, phrase]) => {
    const parts = phrase.split('{}').map((part) => part.replaceAll(/[.*+?^$()[\]\\|]/g, '\\$&'))
    return [name, new RegExp(`^${parts.join('(.+?)')}$`, 'is')] as const
  })
  expressions.set(english, made)
  return made
}

/**
 * A phrase in another language. `{}` in a phrase stands for a name, a number or a time. A text that is none of the English phrases is
 * returned as it is. `gap` translates what stands in a gap.
 */
export function translatePhrase(
  text: string,
  english: Phrases,
  translated: Phrases,
  gap: (value: string) => string = (value) => value,
): string {
  for (const [name, phrase] of expressionsOf(english)) {
    const found = phrase.exec(text)
    if (found === null) continue
    let next = 1
    return (translated[name] ?? english[name] ?? text).replaceAll('{}', () => gap(found[next++] ?? ''))
  }
  return text
}
