import type { ServiceInfo } from '@kitseal/client/console'
import { type Fetched, fetchJson } from '../fetch-json.ts'

export const fetchServiceInfo = (): Promise<Fetched<ServiceInfo>> => fetchJson('/console/api/public')
