const MAX_LENGTH = 80
const NUMBER_LENGTH = 8
const IDENTIFIER = /[\d_]/

/** Whether other documents may contain the text: a label, a word or a small number, not an identifier, a time or a hash. */
export const isRepeated = (text: string): boolean =>
  text.length <= NUMBER_LENGTH || (text.length <= MAX_LENGTH && !IDENTIFIER.test(text))
