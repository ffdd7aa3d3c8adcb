/** What replicas can run on: cores and gigabytes of memory. The figures are the mock's. */
export const highMemory = [
  { profile: 'v1-highmem-xs', cpuCores: 2, memoryGi: 16 },
  { profile: 'v1-highmem-s', cpuCores: 4, memoryGi: 32 },
  { profile: 'v1-highmem-m', cpuCores: 8, memoryGi: 64 },
  { profile: 'v1-highmem-l', cpuCores: 16, memoryGi: 128 },
  { profile: 'v1-highmem-xl', cpuCores: 32, memoryGi: 256 },
] as const

/** Those of infrastructure of the customer, whose sizes are fixed. */
export const ofCustomers = [
  { profile: 'v1-standard-byoc-12', cpuCores: 12, memoryGi: 48 },
  { profile: 'v1-standard-byoc-29', cpuCores: 29, memoryGi: 116 },
  { profile: 'v1-standard-byoc-43', cpuCores: 43, memoryGi: 172 },
  { profile: 'v1-standard-byoc-58', cpuCores: 58, memoryGi: 232 },
] as const
