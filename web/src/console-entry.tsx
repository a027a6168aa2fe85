import { ConsoleApp } from './console/app.tsx'
import './console/console.css'
import { mount } from './mount.tsx'

mount(<ConsoleApp />)
