import { ARF } from './formats/arf.ts'
import { ASFF } from './formats/asff.ts'
import { CHECKOV } from './formats/checkov.ts'
import { CLOUDQUERY } from './formats/cloudquery.ts'
import { CLOUDTRAIL } from './formats/cloudtrail.ts'
import { CREDENTIAL_REPORT_CSV, CREDENTIAL_REPORT_JSON } from './formats/credential-report.ts'
import { CYCLONEDX_JSON, CYCLONEDX_XML } from './formats/cyclonedx.ts'
import { DSSE } from './formats/dsse.ts'
import { CODE_SCANNING_ALERTS, DEPENDABOT_ALERTS, SECRET_SCANNING_ALERTS } from './formats/github-alerts.ts'
import { GITLEAKS } from './formats/gitleaks.ts'
import { GRYPE } from './formats/grype.ts'
import { IN_TOTO } from './formats/in-toto.ts'
import { JUNIT } from './formats/junit.ts'
import { KUBE_BENCH } from './formats/kube-bench.ts'
import { LYNIS } from './formats/lynis.ts'
import { NESSUS } from './formats/nessus.ts'
import { NMAP } from './formats/nmap.ts'
import { OSCAL_RESULTS_JSON, OSCAL_RESULTS_XML } from './formats/oscal-results.ts'
import { POWERPIPE } from './formats/powerpipe.ts'
import { PROWLER_CSV } from './formats/prowler-csv.ts'
import { PROWLER_OCSF } from './formats/prowler-ocsf.ts'
import { SARIF } from './formats/sarif.ts'
import { SCUBAGEAR } from './formats/scubagear.ts'
import { SIGSTORE_BUNDLE } from './formats/sigstore-bundle.ts'
import { SPDX_2_JSON, SPDX_2_TEXT, SPDX_3 } from './formats/spdx.ts'
import { TRIVY } from './formats/trivy.ts'
import { TRUFFLEHOG } from './formats/trufflehog.ts'
import { XCCDF } from './formats/xccdf.ts'
import type { Recogniser } from './recogniser.ts'

/** The formats that are recognised. The first that reads a file names it. */
export const RECOGNISERS: readonly Recogniser[] = [
  PROWLER_OCSF,
  PROWLER_CSV,
  ASFF,
  ARF,
  XCCDF,
  OSCAL_RESULTS_JSON,
  OSCAL_RESULTS_XML,
  CYCLONEDX_JSON,
  CYCLONEDX_XML,
  SPDX_2_JSON,
  SPDX_2_TEXT,
  SPDX_3,
  SIGSTORE_BUNDLE,
  IN_TOTO,
  DSSE,
  SARIF,
  JUNIT,
  TRIVY,
  GRYPE,
  NESSUS,
  NMAP,
  POWERPIPE,
  CLOUDQUERY,
  CREDENTIAL_REPORT_CSV,
  CREDENTIAL_REPORT_JSON,
  CLOUDTRAIL,
  CODE_SCANNING_ALERTS,
  DEPENDABOT_ALERTS,
  SECRET_SCANNING_ALERTS,
  LYNIS,
  CHECKOV,
  KUBE_BENCH,
  GITLEAKS,
  TRUFFLEHOG,
  SCUBAGEAR,
]
