name: CI
on:
  push:
    branches: [main]
  pull_request:
permissions: {}
jobs:
  check:
    runs-on: ubuntu-24.04
    timeout-minutes: 15
    permissions:
      contents: read
    strategy:
      matrix:
        node: [20, 22, 24, 26]
    steps:
      - uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2
        with:
          persist-credentials: false
      - uses: actions/setup-node@49933ea5288caeca8642d1e84afbd3f7d6820020 # v4.4.0
        with:
          node-version: ${{ matrix.node }}
%% if !npm & !bun
      # Node.js 26 comes without it.
      - run: command -v corepack || npm install --global corepack@0.36.0
      - run: corepack enable
%% end
%% if bun
      - run: npm install --global «packageManager»
%% end
      - run: «install»
      - run: «run» build
      - run: «run» lint
      - run: «run» test
      # Fails when callers from outside may do more than audit.json says.
      - run: «run» audit:services
