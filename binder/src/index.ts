/** The binder: a human-readable PDF summary of a kit. */
export { loadGlyphs } from './fonts/typefaces.ts'
export { type BinderFile, makeBinder } from './make-binder.ts'
