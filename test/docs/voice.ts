// Phrases that readers had to read twice. House style: short idiomatic sentences with standard terms.
const UNCLEAR: readonly RegExp[] = [
  /\bwhoever\b/i,
  /\bstands? (?:against|in the way)\b/i,
  /\bheld against\b/i,
  /\b(?:is|are|was|were) told (?:from|by|apart)\b/i,
  /\bin the way of\b/i,
  /\btak(?:es?|ing) (?:its|their) turns?\b/i,
  /\b(?:goes|comes?|came) to (?:its|their) end\b/i,
  /\bwhat is looked for\b/i,
  /\bstumbling block\b/i,
  /\bwith the mend\b|\bmended\b/i,
  /\bon its own account\b/i,
  /\bbeg(?:in|ins|un) anew\b/i,
  /\bso many (?:bytes|files|requests)\b/i,
  /\bin the clear\b/i,
  /\bcan not\b/i,
  /\bfor ever\b/i,
  /\b(?:is|are) answered [45]\d\d\b/i,
]

/** Where each text uses an unclear phrase. Code in backticks is not prose. */
export function unclearPhrases(texts: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(texts).flatMap(([file, text]) => {
    const prose = text.replaceAll(/`[^`\n]*`/g, '').replaceAll(/\s+/g, ' ')
    return UNCLEAR.flatMap((phrase) => {
      const found = phrase.exec(prose)?.[0]
      return found === undefined ? [] : [`${file}: "${found}"`]
    })
  })
}
