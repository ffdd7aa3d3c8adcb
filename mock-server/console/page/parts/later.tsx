import type { ComponentType } from 'preact'
import { useReading } from '../reading.ts'

/** A component that is loaded when it is first rendered. */
export const later =
  <Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> =>
  props => {
    const { data: Loaded } = useReading(load, [])
    return Loaded ? <Loaded {...props} /> : null
  }
