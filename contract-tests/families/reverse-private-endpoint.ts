import type { Past, Step } from '../engine/step.ts'
import { lifeSteps } from '../visits/life-steps.ts'
import { inOwnService } from '../visits/singleton.ts'

/** The life of private connections, on a service that the run created; what they lead to does not exist. */
const life = {
  form: 'cloud',
  resource: 'reversePrivateEndpoint',
  within: inOwnService,
  body: (_: Past, name: string) => ({
    description: name,
    type: 'VPC_RESOURCE',
    vpcResourceConfigurationId: 'rcfg-0a1b2c3d4e5f60718',
    vpcResourceShareArn: 'arn:aws:ram:us-east-1:957102927053:resource-share/stack-parity',
  }),
  change: (_: Past, name: string) => ({
    customPrivateDnsMappings: [{ privateDnsName: `${name.replace(/\W+/g, '-')}.invalid` }],
  }),
} as const

export const steps: readonly Step[] = lifeSteps(life)
