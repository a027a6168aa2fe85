/** A form that cannot be parsed. `message` is for the caller. */
export class MultipartProblem extends Error {
  override readonly name = 'MultipartProblem'
}
