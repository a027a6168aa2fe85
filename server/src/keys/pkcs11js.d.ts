// What is used of pkcs11js. The package is optional, because it is compiled where it is installed: without a compiler, it and its types
// are missing.
declare module 'pkcs11js' {
  export type Handle = Buffer
  export interface Mechanism {
    readonly mechanism: number
  }
  export type Template = { readonly type: number; readonly value?: number | boolean | string | Buffer }[]
  export class PKCS11 {
    load(path: string): void
    close(): void
    C_Initialize(options: { readonly flags: number }): void
    C_GetSlotList(tokenPresent: boolean): Handle[]
    C_GetTokenInfo(slot: Handle): { readonly label: string }
    C_OpenSession(slot: Handle, flags: number): Handle
    C_CloseSession(session: Handle): void
    C_Login(session: Handle, user: number, pin: string): void
    C_FindObjectsInit(session: Handle, template: Template): void
    C_FindObjects(session: Handle, max: number): Handle[]
    C_FindObjectsFinal(session: Handle): void
    C_GetAttributeValue(session: Handle, object: Handle, template: Template): Template
    C_DestroyObject(session: Handle, object: Handle): void
    C_SignInit(session: Handle, mechanism: Mechanism, key: Handle): void
    C_SignAsync(session: Handle, message: Buffer, signature: Buffer): Promise<Buffer>
    C_GenerateKeyPairAsync(
      session: Handle,
      mechanism: Mechanism,
      publicKey: Template,
      privateKey: Template,
    ): Promise<{ readonly publicKey: Handle; readonly privateKey: Handle }>
  }
  export const CKA_CLASS: number
  export const CKA_EC_PARAMS: number
  export const CKA_EC_POINT: number
  export const CKA_EXTRACTABLE: number
  export const CKA_ID: number
  export const CKA_KEY_TYPE: number
  export const CKA_LABEL: number
  export const CKA_PRIVATE: number
  export const CKA_SENSITIVE: number
  export const CKA_SIGN: number
  export const CKA_TOKEN: number
  export const CKA_VERIFY: number
  export const CKF_OS_LOCKING_OK: number
  export const CKF_RW_SESSION: number
  export const CKF_SERIAL_SESSION: number
  export const CKO_PRIVATE_KEY: number
  export const CKO_PUBLIC_KEY: number
  export const CKU_USER: number
}
