import type { ServiceInfo } from '../console/api-types.generated.ts'
import { type Fetched, fetchJson } from '../fetch-json.ts'

export const fetchServiceInfo = (): Promise<Fetched<ServiceInfo>> => fetchJson('/console/api/public')
