import type { Recogniser } from './recogniser.ts'
import { PROWLER_OCSF } from './formats/prowler-ocsf.ts'

/** The formats that are recognised. The first that reads a file names it. */
export const RECOGNISERS: readonly Recogniser[] = [PROWLER_OCSF]
