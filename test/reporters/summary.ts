import type { Reporter, TestModule, TestRunEndReason } from 'vitest/node';

/** Ends every run with one plain line that people and CI can read: "12 passed, 0 failed, 1 skipped". */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[], _reason: TestRunEndReason): void {
    const counts = { passed: 0, failed: errors.length, skipped: 0 };
    for (const module of modules) {
      let tests = 0;
      for (const test of module.children.allTests()) {
        tests += 1;
        const state = test.result().state;
        if (state === 'passed') counts.passed += 1;
        else if (state === 'failed') counts.failed += 1;
        else counts.skipped += 1;
      }
      // A file that could not even be loaded has no tests to count, and is a failure all the same.
      if (tests === 0 && !module.ok()) counts.failed += 1;
    }
    console.log(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  }
}
