import '@mantine/core/styles.layer.css'
import { ConsoleApp } from './console/app.tsx'
import { mount } from './mount.tsx'

mount(<ConsoleApp />)
