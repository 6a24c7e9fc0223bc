"""Tunes the last layers of a small model, and measures it on pages that it has not seen."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any

import torch
from torch.nn.functional import cross_entropy

from evaluation.tuning import weights
from evaluation.tuning.instructions import Instructions, cited
from groundwire.pairs.exporting import InstructionExample

LAYERS = 6  # of SmolLM2's 30: on two cores, a step of all of them takes four times as long
RATE = 2e-4
TOGETHER = 4  # examples a step of the optimizer learns from
MOST_TOKENS = 1_500  # longer examples are left out of what is learned
MOST_ASKED = 40  # examples that are measured, of each kind
MOST_PIECES = 7  # in a prompt of the export


@dataclass(frozen=True)
class Encoded:
    """An example in tokens; `begins` is where the assistant speaks."""

    tokens: list[int]
    begins: int

    @property
    def said(self) -> torch.Tensor:
        return torch.tensor(self.tokens[self.begins :])


class Tuning:
    """A model with its tokenizer, whose last layers learn."""

    def __init__(self, tokenizer: Any, model: Any) -> None:
        self._tokenizer = tokenizer
        self._model = model
        every = len(model.model.layers)
        self._layers = range(every - LAYERS, every)

    def learn(self, learned: Sequence[InstructionExample], steps: int, seed: int) -> Iterator[None]:
        """Yields after each example."""
        optimizer = torch.optim.AdamW(list(self._learning()), lr=RATE)
        self._model.train()
        for number, each in zip(range(1, steps + 1), self._in_turns(learned, seed), strict=False):
            loss = cross_entropy(self._logits(each), each.said) / TOGETHER
            loss.backward()
            if number % TOGETHER == 0:
                optimizer.step()
                optimizer.zero_grad()
            yield
        self._model.eval()

    def save(self, original: Path, file: Path) -> None:
        """As GGUF, with everything of the original but what was tuned."""
        weights.save(original, self._model, self._layers, file)

    def measured(self, asked: Instructions, seed: int) -> dict[str, float | None]:
        """Nats per token of what it should say, and how often it would cite the right piece."""
        chance = random.Random(seed)
        answers = self._some(asked.answers, chance)
        not_found = self._some(asked.not_found, chance)
        right = [self._cites_rightly(each) for each in answers if cited(each)]
        return {
            "loss of answers": self._loss(answers),
            "loss of not found": self._loss(not_found) if not_found else None,
            "right piece": mean(right) if right else None,
        }

    def _in_turns(self, learned: Sequence[InstructionExample], seed: int) -> Iterator[Encoded]:
        chance, order = random.Random(seed), list(learned)
        encoded = {each: self.encoded(each) for each in order}
        short = [each for each in order if len(encoded[each].tokens) <= MOST_TOKENS]
        while short:
            chance.shuffle(short)
            for each in short:
                yield encoded[each]

    def encoded(self, example: InstructionExample) -> Encoded:
        """By the model's own chat template."""
        *asked, said = [each.model_dump() for each in example.messages]
        template = self._tokenizer.apply_chat_template
        before = template(asked, add_generation_prompt=True, tokenize=False)
        prompt = self._tokens(before)
        return Encoded(prompt + self._tokens(said["content"]) + self._end(), len(prompt))

    def _end(self) -> list[int]:
        return [int(self._tokenizer.eos_token_id)]

    def _tokens(self, text: str) -> list[int]:
        return list(self._tokenizer(text, add_special_tokens=False).input_ids)

    def _logits(self, example: Encoded) -> torch.Tensor:
        """Of what is said alone: those of the prompt would take most of the time."""
        states = self._model.model(input_ids=torch.tensor([example.tokens])).last_hidden_state
        logits: torch.Tensor = self._model.lm_head(states[:, example.begins - 1 : -1])[0]
        return logits

    def _loss(self, asked: Sequence[InstructionExample]) -> float:
        total, tokens = 0.0, 0
        for example in map(self.encoded, asked):
            said = example.said
            total += cross_entropy(self._told(example), said, reduction="sum").item()
            tokens += len(said)
        return total / tokens

    def _told(self, example: Encoded) -> torch.Tensor:
        """Its logits, where nothing is learned of them."""
        with torch.no_grad():
            return self._logits(example)

    def _cites_rightly(self, example: InstructionExample) -> bool:
        """After the words of the answer, the number of the right piece is the likeliest one."""
        encoded, wanted = self.encoded(example), cited(example)
        digits = [self._tokens(str(number))[-1] for number in range(1, MOST_PIECES + 1)]
        assert wanted
        said = encoded.tokens[encoded.begins :]
        place = max(at for at, token in enumerate(said) if token == digits[wanted - 1])
        return int(self._told(encoded)[place][digits].argmax()) + 1 == wanted

    def _learning(self) -> Iterator[Any]:
        for frozen in self._model.parameters():
            frozen.requires_grad_(False)
        for number in self._layers:
            for one in self._model.model.layers[number].parameters():
                one.requires_grad_(True)
                yield one

    def _some(
        self, asked: Sequence[InstructionExample], chance: random.Random
    ) -> list[InstructionExample]:
        return chance.sample(asked, min(MOST_ASKED, len(asked)))
