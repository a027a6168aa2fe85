/** A form that can not be read. `message` is for the caller. */
export class MultipartProblem extends Error {
  override readonly name = 'MultipartProblem'
}
