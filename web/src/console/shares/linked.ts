import type {
  Room,
  RoomList,
  Share,
  ShareAccessList,
  ShareChange,
  ShareLinkRequest,
  ShareList,
} from '@kitseal/client'
import { api } from '../client.ts'

/** A share or a room: what both have, and how each is changed. */
export interface Linked extends Pick<
  Share,
  'url' | 'recipients' | 'has_password' | 'max_downloads' | 'notify_downloads' | 'expires_at'
> {
  readonly id: string
  readonly label: string
  /** Again, from the service. */
  get(): Promise<Linked>
  change(body: ShareChange): Promise<Linked>
  createLink(body: ShareLinkRequest): Promise<Linked>
  revokeLink(recipient: string): Promise<unknown>
  revoke(): Promise<unknown>
  accesses(): Promise<ShareAccessList>
}

const NEWEST = { limit: 100 }

export function ofShare(share: ShareList['data'][number]): Linked {
  const { share_id: id } = share
  return {
    ...share,
    id,
    get: async () => ofShare(await api.getShare(id)),
    change: async (body) => ofShare(await api.changeShare(id, body)),
    createLink: async (body) => ofShare(await api.createShareLink(id, body)),
    revokeLink: (recipient) => api.revokeShareLink(id, { recipient }),
    revoke: () => api.revokeShare(id),
    accesses: () => api.listShareAccesses(id, NEWEST),
  }
}

export function ofRoom(room: RoomList['data'][number] | Room): Linked {
  const { room_id: id } = room
  return {
    ...room,
    id,
    label: room.title,
    get: async () => ofRoom(await api.getRoom(id)),
    change: async (body) => ofRoom(await api.changeRoom(id, body)),
    createLink: async (body) => ofRoom(await api.createRoomLink(id, body)),
    revokeLink: (recipient) => api.revokeRoomLink(id, { recipient }),
    revoke: () => api.revokeRoom(id),
    accesses: () => api.listRoomAccesses(id, NEWEST),
  }
}
