"""traced on 20,000 sessions beside 2,000: how its starts and its memory grow."""

from measuring import Bar, ratio
from sections.restart import Archive


def run(workplace):
    few = Archive(workplace, workplace.scaled(2_000), "archive-few", looks_at_rest=False)
    many = Archive(workplace, workplace.scaled(20_000), "archive-many", looks_at_rest=False)
    yield from few.figures(cold_times=2)
    yield from many.figures(cold_times=1)
    sizes = f"{many.name} to {few.count:,}"
    yield Bar.of(f"first start, {sizes}", ratio, many.cold, few.cold, at_most=11)
    yield Bar.of(f"restart, {sizes}", ratio, many.again, few.again, at_most=11)
    yield Bar(f"resident memory, {sizes}", many.resident / few.resident, at_most=1.5)
