import { CONSTANTS } from '../../server/src/settings/limits.ts'
import { testConstants } from './constants.ts'

Object.assign(CONSTANTS, testConstants(process.env))
