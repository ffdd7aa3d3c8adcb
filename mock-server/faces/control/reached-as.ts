import type { TargetFile } from '../../mock/mock.ts'

/**
 * The target of a mock that listens on every address, at the name by which its control plane was asked: callers on other
 * machines do not reach it on loopback. One that listens on a single address is reached at that.
 */
export function reachedAs(target: TargetFile, listensOn: string, host = ''): TargetFile {
  const name = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : ''
  if ((listensOn !== '0.0.0.0' && listensOn !== '::') || name === '') return target
  const { cloud, selfHosted, control } = target
  const move = <T extends { readonly baseUrl: string }>(at: T): T => {
    const url = new URL(at.baseUrl)
    url.hostname = name
    return { ...at, baseUrl: url.href.replace(/\/$/, '') }
  }
  return {
    ...target,
    ...(cloud && { cloud: move(cloud) }),
    ...(selfHosted && { selfHosted: move(selfHosted) }),
    ...(control && { control: move(control) }),
  }
}
