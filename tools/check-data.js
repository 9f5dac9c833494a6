// SPDX-License-Identifier: MIT
//
// node check-data.js REPORT FOLDER: puts the GLBs that check_data made to the Khronos validator, and the result into its
// report. Only codes are kept: a pointer or message of the validator may quote names out of a file.
'use strict';

const fs = require('fs');
const path = require('path');
const validator = require('gltf-validator');

const WARNING = 1; // severities of the validator: 0 error, 1 warning, 2 information, 3 hint

async function validate(file) {
    const { issues } = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), { maxIssues: 1000 });
    const codes = {};
    for (const { severity, code } of issues.messages) {
        if (severity <= WARNING) codes[code] = (codes[code] ?? 0) + 1;
    }
    return { errors: issues.numErrors, warnings: issues.numWarnings, codes };
}

async function main(report, folder) {
    const document = JSON.parse(fs.readFileSync(report, 'utf8'));
    const made = document.figures.filter(({ glb }) => glb);
    let failed = 0;
    for (const figure of made) {
        figure.validator = await validate(path.join(folder, figure.glb));
        if (figure.validator.errors + figure.validator.warnings === 0) continue;
        failed++;
        console.log(`validator: ${figure.name} (${figure.glb}): ${Object.keys(figure.validator.codes).join(', ')}`);
    }
    console.log(`validator ${validator.version()}: ${made.length - failed}/${made.length} figures without an error or a warning`);
    document.validator = validator.version();
    fs.writeFileSync(`${report}.new`, `${JSON.stringify(document, null, 2)}\n`);
    fs.renameSync(`${report}.new`, report);
    return failed === 0 ? 0 : 1;
}

main(process.argv[2], process.argv[3]).then((status) => { process.exitCode = status; });
