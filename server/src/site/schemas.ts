import type { TSchema } from 'typebox'
import { ACCESS_SCHEMAS } from '../access/access-schemas.ts'
import { Me } from '../access/me-schema.ts'
import { CreditAccount } from '../access/credit-schemas.ts'
import { TrustedIssuers } from '../access/trust-schemas.ts'
import { AuditHead, AuditTrail } from '../audit/audit-schemas.ts'
import { EventList, PersonList } from '../audit/event-schemas.ts'
import { WEBHOOK_SCHEMAS } from '../deliveries/webhook-schemas.ts'
import { ErrorResponse } from '../http/error-schema.ts'
import { JWKS } from '../keys/key-schemas.ts'
import { Erasure, Kit, Manifest, Receipt, VerificationResult } from '../kits/kit-schemas.ts'
import { KitDetail } from '../kits/kit-detail-schema.ts'
import { EvidenceRequest, EvidenceRequestList, NewRequest, RequestLink } from '../sharing/request-schemas.ts'
import { Share, ShareAccessList, ShareList, ShareRequest } from '../sharing/share-schemas.ts'
import { IntakeJob, IntakeJobRequest } from '../submissions/job-schemas.ts'
import { Profile, ProfileList, ProfileRequest } from '../submissions/profile-schemas.ts'
import { KitDifferences, SeriesList, SeriesTimeline } from '../submissions/series-schemas.ts'
import { SubmissionUpdate } from '../submissions/submission-attributes.ts'
import {
  DeliverableList,
  FailReport,
  Submission,
  SubmissionRequest,
} from '../submissions/submission-schemas.ts'
import { SUMMARY_SCHEMAS } from '../submissions/summary-schemas.ts'
import { Upload, UploadList } from '../submissions/upload-schemas.ts'

const NAMED = {
  IntakeJob,
  IntakeJobRequest,
  Kit,
  Manifest,
  Receipt,
  VerificationResult,
  ErrorResponse,
  JWKS,
  SubmissionRequest,
  SubmissionUpdate,
  Profile,
  ProfileList,
  ProfileRequest,
  Upload,
  UploadList,
  Submission,
  ...SUMMARY_SCHEMAS,
  DeliverableList,
  FailReport,
  Me,
  CreditAccount,
  AuditTrail,
  AuditHead,
  Erasure,
  SeriesList,
  SeriesTimeline,
  KitDifferences,
  ShareRequest,
  Share,
  ShareList,
  EventList,
  PersonList,
  KitDetail,
  ShareAccessList,
  NewRequest,
  EvidenceRequest,
  EvidenceRequestList,
  RequestLink,
  TrustedIssuers,
  ...ACCESS_SCHEMAS,
  ...WEBHOOK_SCHEMAS,
}

export type SchemaName = keyof typeof NAMED

/** The named schemas of the OpenAPI document and /schemas. */
export const NAMED_SCHEMAS: Readonly<Record<SchemaName, TSchema>> = NAMED
