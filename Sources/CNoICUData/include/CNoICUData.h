// Nothing is called in here: the linker takes what CNoICUData.c defines.
