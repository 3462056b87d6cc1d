// Adds up vitest's reports: node count-tests.mjs <steps that failed> <results.json>…
import { readFile } from 'node:fs/promises';

const [steps, ...files] = process.argv.slice(2);
const reports = await Promise.all(
  files.map(async (file) => JSON.parse(await readFile(file, 'utf8'))),
);
const sum = (field) => reports.reduce((total, report) => total + report[field], 0);
const passed = sum('numPassedTests');
const failed = Math.max(sum('numFailedTests'), Number(steps), passed === 0 ? 1 : 0);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
