import { HomePage } from './public/home-page.tsx'
import { mount } from './mount.tsx'

mount(<HomePage />)
