/** The binder: a human-readable PDF of what a kit holds. */
export { lettersFor } from './fonts/typefaces.ts'
export { type BinderFile, makeBinder } from './make-binder.ts'
