"""The function words of Chinese, over normalised text (full-width signs are ASCII by then)."""

import re

from endoalign.reports.grammar.patterns import Grammar

CHINESE = Grammar(
    denial_end=re.compile(r"[,;:。]|但|而|惟"),
    back_stop=re.compile(r"[,;:。]|但"),
    manner=re.compile(r"(?!)"),
    list_gap=re.compile(
        r"(?:[\s、,/()-]|及|和|或|与|以及|伴|并|明显|活动性|其他|其它|轻度|等|性)*"
    ),
    same_gap=re.compile(r"[\s(/-]?(?:或|性|样|状)?"),
    explains=re.compile(r"(?:[\s,]|考虑|符合|伴|疑似)*"),
    renames=re.compile(r"[^,;]{0,8}(?:考虑|疑似|可能)(?:为)?"),
    along=re.compile(r",?伴"),
    separator=re.compile(
        r"(?P<strong>[;。])|,?(?:另外|另见|另|其余|余|以及|同时|并|及|伴)|[,、:\n]"
    ),
    starts_new=re.compile(
        r"[\s,]*(?:另|余|其余|其他|其它|距|并见|见|可见|有|[一二两三四五六七八九十单多数\d]+[枚个颗处]"
        r"|升|降|横|乙|直|回|盲|肝|脾|阑|结肠|右|左)"
    ),
    boundary=re.compile(r"[,;:(]"),
    site_joint=re.compile(
        r"(?:[\s、,/()+~-]|及|和|与|至|到|近|附近|交界处?|段|部|上|中|下|距肛门?缘?约?)*"
    ),
    extent=re.compile(r"(?:至|达)$"),
    surroundings=re.compile(r"(?:周围|周边|余)[^,;]{0,8}$"),
    definite=re.compile(r"(?:该|此|上述|其)$"),
    new_one=re.compile(r"另|[一二两三四五六七八九单多数\d][枚个颗处]"),
    points_back=re.compile(
        r"(?:其|该|息肉|病变|病灶)?(?:表面|大小|基底|形态|外形|边界|边缘|蒂|头端|顶端|直径|中央|巴黎|paris)|该息肉|该病变"
    ),
    points_to_all=re.compile(r"均|两枚息肉|上述息肉"),
    here=re.compile(r"该处|此处"),
    carries=re.compile(r"另|同一|该处|旁"),
    elsewhere=re.compile(r"余|其他|其它|另"),
    looked_at=re.compile(r"(?!)"),
    moved=re.compile(r"(?:进镜|插镜|循腔|退镜)"),
    treated=re.compile(r"切除|钳除|摘除|活检|送检|圈套"),
    seen=re.compile(""),
    tells=re.compile(r"见"),
    finite=re.compile(r"[见达至]"),
    procedure=re.compile(r"镜|术|活检"),
)
