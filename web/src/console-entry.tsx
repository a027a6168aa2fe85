import '@mantine/core/styles.layer.css'
import { ConsoleApp } from './console/app.tsx'
import { mount } from './mount.tsx'
import './styles/console.css'

mount(<ConsoleApp />)
