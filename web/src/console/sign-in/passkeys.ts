import {
  startAuthentication,
  startRegistration,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { texts } from '../../texts/index.ts'
import { post } from '../api.ts'
import type { Me, OnePasskey, Passkey } from '../api-types.generated.ts'

interface Ceremony<Options> {
  readonly ceremony: string
  readonly options: Options
}

export async function signIn(): Promise<Me> {
  const { ceremony, options } =
    await post<Ceremony<PublicKeyCredentialRequestOptionsJSON>>('/sign-in/options')
  const response = await inWords(startAuthentication({ optionsJSON: options }))
  return post('/sign-in', { ceremony, response })
}

/** Accepts an invitation with a new passkey, and signs in. */
export async function acceptWithPasskey(token: string, label: string): Promise<Me> {
  const { ceremony, options } = await post<Ceremony<PublicKeyCredentialCreationOptionsJSON>>(
    '/invitation/options',
    { token },
  )
  const response = await inWords(startRegistration({ optionsJSON: options }))
  return post('/invitation/accept', { token, ceremony, response, ...named(label) })
}

export async function addPasskey(label: string): Promise<Passkey> {
  const { ceremony, options } =
    await post<Ceremony<PublicKeyCredentialCreationOptionsJSON>>('/passkeys/options')
  const response = await inWords(startRegistration({ optionsJSON: options }))
  const { passkey } = await post<OnePasskey>('/passkeys', {
    ceremony,
    response,
    ...named(label),
  })
  return passkey
}

const named = (label: string): { readonly label?: string } =>
  label.trim() === '' ? {} : { label: label.trim() }

/** Replaces the browser's technical error messages. */
async function inWords<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked
  } catch (error) {
    const name = error instanceof Error ? error.name : ''
    const t = texts.console.signIn
    if (name === 'NotAllowedError' || name === 'AbortError') throw new Error(t.dismissed, { cause: error })
    if (name === 'InvalidStateError') throw new Error(t.alreadyThere, { cause: error })
    throw new Error(t.noPasskey, { cause: error })
  }
}
