import type { Me, Passkey } from '../../core/console-types.generated.ts'
import {
  startAuthentication,
  startRegistration,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { t } from '../../core/texts.ts'
import { api, type Introduction } from '../client.ts'

export async function signIn(): Promise<Me> {
  const { ceremony, options } = await api.startSignIn<PublicKeyCredentialRequestOptionsJSON>()
  const response = await inWords(startAuthentication({ optionsJSON: options }))
  return api.signIn({ ceremony, response })
}

/** Accepts an invitation with a new passkey, and signs in. */
export async function acceptWithPasskey(
  token: string,
  label: string,
  introduction: Introduction,
): Promise<Me> {
  const { ceremony, options } = await api.startInvitation<PublicKeyCredentialCreationOptionsJSON>(
    token,
    introduction.email,
  )
  const response = await inWords(startRegistration({ optionsJSON: options }))
  return api.acceptInvitation(token, introduction, { ceremony, response, ...named(label) })
}

export async function addPasskey(label: string): Promise<Passkey> {
  const { ceremony, options } = await api.startPasskey<PublicKeyCredentialCreationOptionsJSON>()
  const response = await inWords(startRegistration({ optionsJSON: options }))
  const { passkey } = await api.addPasskey({ ceremony, response, ...named(label) })
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
    if (name === 'NotAllowedError' || name === 'AbortError')
      throw new Error(t('console.signIn.dismissed'), { cause: error })
    if (name === 'InvalidStateError') throw new Error(t('console.signIn.alreadyThere'), { cause: error })
    throw new Error(t('console.signIn.noPasskey'), { cause: error })
  }
}
