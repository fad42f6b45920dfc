#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Reads a recipe of BitBake, as far as those of user/yocto go.

recipe.py FILE get NAME [VARIABLE=VALUE]...       the value, expanded
recipe.py FILE run FUNCTION [VARIABLE=VALUE]...   the shell function, to be run by sh

VARIABLE=VALUE is a variable that a distribution or a class sets before the recipe. Lines
that are not understood are refused.
"""
import os
import re
import sys

ASSIGN = re.compile(r'([A-Za-z_][\w${}.:-]*?)\s*(:=|\?=|\+=|\.=|=)\s*"(.*)"$', re.S)
FUNCTION = re.compile(r'(\w+)\(\) \{$')


def refuse(path, line):
    sys.exit(f'barepmu: recipe.py: {path}: no line of a recipe: {line!r}')


class Recipe:
    def __init__(self, given):
        self.value = dict(given)
        self.function = {}
        self.inherits = []

    def assign(self, name, operator, text):
        name = self.expand(name)
        override = re.match(r'(.*):(append|prepend)$', name)
        if override:
            name, where = override.groups()
            old = self.value.get(name, '')
            self.value[name] = text + old if where == 'prepend' else old + text
        elif operator == '?=':
            self.value.setdefault(name, text)
        elif operator in ('+=', '.='):
            space = ' ' if operator == '+=' else ''
            self.value[name] = self.value.get(name, '') + space + text
        else:
            self.value[name] = text

    def read(self, path):
        with open(path, encoding='utf-8') as file:
            lines = iter(file.read().split('\n'))
        for line in lines:
            while line.endswith('\\'):
                line = line[:-1] + next(lines)
            words = line.split()
            if not words or line.startswith('#'):
                continue
            assigned = ASSIGN.match(line)
            function = FUNCTION.match(line)
            if words[0] == 'inherit':
                self.inherits += words[1:]
            elif words[0] == 'require':
                self.read(os.path.join(os.path.dirname(path), words[1]))
            elif assigned:
                self.assign(*assigned.groups())
            elif function:
                body = []
                for part in lines:
                    if part == '}':
                        break
                    body.append(part)
                self.function[function.group(1)] = '\n'.join(body)
            else:
                refuse(path, line)

    def getVar(self, name):
        return self.expand(self.value[name]) if name in self.value else None

    def expand(self, text):
        text = re.sub(r'\$\{@(.*?)\}', lambda m: str(eval(m[1], {'d': self})), text)
        return re.sub(r'\$\{(\w+)\}', self.variable, text)

    def variable(self, match):
        if match[1] not in self.value:
            sys.exit(f'barepmu: recipe.py: {match[1]} has no value')
        return self.expand(self.value[match[1]])


def main():
    path, what, name = sys.argv[1:4]
    recipe = Recipe(word.split('=', 1) for word in sys.argv[4:])
    recipe.read(path)
    if what == 'run':
        print(recipe.expand(recipe.function[name]))
    elif name == 'inherit':
        print(' '.join(recipe.inherits))
    else:
        print(recipe.expand(recipe.value[name]))


main()
