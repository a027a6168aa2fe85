import { en } from './texts/en.ts'

export const RECEIPT_VERSION = 'FES-1.0-preview'

export const BOUNDARY = en.boundary

export const LONG_BOUNDARY =
  'This service records supplied evidence and lets anyone check that a kit is what was issued, by whom and when. ' +
  'A successful verification proves that the files match the manifest, that the manifest matches the receipt, that the ' +
  "receipt's key ID matches a public key, that the receipt's signature verifies, and that the kit has not been modified " +
  'since issuance. It does not prove the compliance or security status of a company, that controls operate effectively, ' +
  'that a buyer, auditor, insurer, bank, regulator or payment service provider accepted the packet, or that the evidence ' +
  'is legally sufficient. The service does not certify, audit, give legal approval, insure, or independently verify ' +
  'supplied claims. The customer remains responsible for the submitted evidence.'
