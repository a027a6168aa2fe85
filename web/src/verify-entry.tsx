import { mount } from './mount.tsx'
import { VerifyPage } from './verify/verify-page.tsx'

mount(<VerifyPage />)
